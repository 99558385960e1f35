import SwiftData
@Model class Trip { var a: Int = 0; lazy var b: Int = 1; var c: String = "" }
@Model class Day { var x: Int = 0; @Published var y: Int = 0
  var z: Int = 0 }
