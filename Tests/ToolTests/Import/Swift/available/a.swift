import SwiftData
@available(iOS 17, macOS 14, *)
@Model
@MainActor
final class Log {
    @available(*, deprecated, message: "use text")
    var message: String = ""
    @available(iOS 18, *)
    var extra: String = ""
    @objc dynamic var z: Int = 0
    nonisolated var q: Int { 1 }
    @MainActor func f() {}
}
@available(iOS 26, *) @Model class SubLog: Log { var more: Int = 0 }
