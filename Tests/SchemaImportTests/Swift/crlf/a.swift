import SwiftData
/// Doc.
/// More.
@Model
final class Crlf {
    /// Name.
    var name: String = ""

    lazy var bad = 1
    var kind: Kind = .a
}
enum Kind: String, Codable {
    case a
}
