/// The program's version. Partitions that another one loaded may differ, so it is part of their versions.
package let programVersion = "1.1.0"
