import SwiftData
@Model final class Duplicate { var a = 1 }
@Model final class duplicate { var b = 1 }
@Model final class Other { @Relationship(inverse: \Duplicate.nothing) var d: Duplicate?; var m: Missing?; var n: Missing2 = Missing2(); @Attribute(.foo) var z = 1; @Foo var w = 2; @Attribute(.unique, .bar) var v = 3 }
