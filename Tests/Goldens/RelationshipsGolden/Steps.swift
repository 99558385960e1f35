public import Trellis

// Written by hand: the custom migration steps that the schema requires.
nonisolated extension RelationshipsMigrationPlan {
  public static func findFirstReaders(_ migration: MigrationRows) throws {
    for book in try migration.old.fetch(FetchDescriptor<RelationshipsSchema.V1_2_3.Book>())
    where book.firstReader == nil {
      let identifier = migration.identifier(of: book.persistentModelID, as: Book.self)
      guard let successor = migration.new.model(for: identifier) as? Book else { continue }
      let reader = Reader(name: "reader of \(book.title)", friends: [])
      migration.new.insert(reader)
      successor.firstReader = reader
    }
  }
}
