import SwiftData
@Model final class Größe { var straße: String = ""; var `class`: String = ""; var 名前: String?; var emoji😀: Int = 0; @Relationship var länder: [Land] = [] }
@Model final class Land { var größe: Größe? }
@Model final class `Type` { var x = 1 }
@Model final class `default` { var x = 1 }
