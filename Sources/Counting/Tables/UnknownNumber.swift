/// A number of a row has no name, or is out of range.
package struct UnknownNumber: Error {}
