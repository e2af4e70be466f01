import Foundation
import Synchronization

/// The stop flag was raised.
package struct Stopped: Error {}
