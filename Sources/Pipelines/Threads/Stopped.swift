/// The stop flag was raised.
package struct Stopped: Error {}
