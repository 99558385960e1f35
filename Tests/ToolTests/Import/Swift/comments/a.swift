import SwiftData
/* @Model class Commented { var x = 1 } */
// @Model class LineCommented {}
let s = """
@Model class InString { var x = 1 }
"""
/**
 A block doc comment.
 */
@Model
// a comment between
final class Doc { // trailing
    /** block doc */
    var a: Int = 0 // why
    /// doc
    // MARK: - x
    var b: String = "}" /* } */
    let r = #"raw " } "#
    let regex = /[{}]/
    lazy var gone = 3 // TODO
    /// Docs of gone2
    lazy var gone2: [Int] = {
        [1, 2]
    }()
    var after: Int = 0
}
