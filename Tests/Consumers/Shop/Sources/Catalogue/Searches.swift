import Foundation
import Trellis

extension Maker {
  public func articles(ofKind kind: Kind, in context: ModelContext) throws -> [Article] {
    try context.fetch(FetchDescriptor(predicate: #Predicate { $0.maker == self && $0.kind == kind }))
  }
}

extension Article {
  /// Uses Foundation's macro, because other modules use this declaration.
  public static func count(
    _ predicate: Predicate<Article> = #Foundation::Predicate<Article> { $0.title != "" }, in context: ModelContext
  ) throws -> Int {
    try context.fetchCount(FetchDescriptor(predicate: predicate))
  }

  static let expensive = #Predicate<Article> { $0.price > 100 && $0.kind == .physical }
}
