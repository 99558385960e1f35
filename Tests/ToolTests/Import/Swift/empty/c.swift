import SwiftData
@Model class Only {}
