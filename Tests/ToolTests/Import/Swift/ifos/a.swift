import SwiftData
#if os(iOS)
import UIKit
#endif
@Model
final class Photo {
    var name: String = ""
    #if os(iOS)
    var deviceName: String = ""
    #else
    var deviceName: String = "mac"
    #endif
    @Attribute(.externalStorage) var data: Data?
    #if canImport(UIKit)
    var image: UIImage? { data.flatMap(UIImage.init) }
    #endif
}
#if DEBUG
@Model final class DebugRecord { var text: String = "" }
#endif
