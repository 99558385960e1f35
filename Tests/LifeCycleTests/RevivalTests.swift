import Testing
import Trellis

@Suite struct RevivalTests {
  @Test(arguments: 0..<8)
  func aDroppedModelComesBackWithItsReferences(_ way: Int) throws {
    let (erases, fetches, inBatch) = (way & 1 != 0, way & 2 != 0, way & 4 != 0)
    let fixture = try LifeCycleFixture()
    let context = fixture.context
    let saved = Painting(title: "s", maker: artist("S"), width: 1)
    context.insert(saved)
    try context.save()
    let maker = artist("A")
    let piece = Painting(title: "p", maker: maker, width: 1)
    context.insert(piece)
    if inBatch { try context.delete(model: Painting.self) } else {
      context.delete(piece)
      context.delete(saved)
    }
    if erases { fixture.container.deleteAllData() }
    if fetches { _ = try context.fetchCount(FetchDescriptor<Studio>()) }
    try context.delete(model: Painting.self)
    _ = piece.maker
    context.insert(piece)
    #expect(piece.maker === maker && maker.made.contains { $0 === piece })
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Painting>()).first?.maker.name == "A")
  }
}
