import Foundation
import Testing
import Trellis

@testable import Catalogue

/// A target without a schema has the plugin's macros, even if it imports another module with `@testable`.
@Test func predicatesOfOtherTargets() throws {
  let container = try ModelContainer(
    for: Article.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  let context = ModelContext(container)
  let (lumen, other) = (Maker(name: "Lumen"), Maker(name: "Other"))
  for number in 0..<6 {
    let article = Article(number: "\(number)", title: ["Lamp", "Manual", ""][number % 3])
    article.maker = number < 4 ? lumen : other
    article.kind = number % 3 == 1 ? .digital : .physical
    article.price = Decimal(number * 50)
    context.insert(article)
  }
  try context.save()
  let start = "Lam"
  let lamps = FetchDescriptor<Article>(
    predicate: #Predicate {
      $0.maker == lumen && $0.kind == .physical && $0.title.hasPrefix(start) && ($0.maker?.name ?? "") != other.name
    })
  #expect(try context.fetch(lamps).map(\.number).sorted() == ["0", "3"])
  #expect(try lumen.articles(ofKind: .digital, in: context).map(\.number) == ["1"])
  #expect(try Article.count(in: context) == 4)
  #expect(try Article.count(Article.expensive, in: context) == 2)
  #expect(try #Predicate<String> { $0 == start }.evaluate("Lam"))
}
