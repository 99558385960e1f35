import SwiftData
import CoreLocation
@Observable @Model final class Obs { var x = 1 }
@SwiftData.Model class Qual { var x = 1 }
@Model() class Paren { var x = 1 }
@Model open class Opn { var coord: CLLocationCoordinate2D = .init(); var c: Color = .red }
@MyMacro @Model class My { var x = 1 }
@Model class Base { var b = 1 }
@Model class Derived: Base { var d = 1 }
final class Plain: Base { }
class NotModel { var x = 1 }
@Model class Uses { var o: NotModel?; var p: [NotModel] = []; var proto: any Proto; var tup: (Int, Int)?; var u: Unknown.Thing? }
protocol Proto {}
