/// A place in a drawing, from its upper left corner.
typealias Point = (x: Double, y: Double)
