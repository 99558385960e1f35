import Testing
import Trellis

/// A new list member is merged with the row that has its unique value, although another program has deleted the row of
/// the list's owner.
@Suite struct DeletedOwnerMergeTests {
  @Test(arguments: [StoreKind.disk, .postgres], [1, 3])
  func theErrorNamesTheOwner(_ kind: StoreKind, _ count: Int) throws {
    let home = try StorePlace(kind, Account.self, Keyword.self)
    let context = home.fresh()
    let account = Account(name: "a")
    context.insert(account)
    for number in 0..<count { context.insert(Keyword(text: "\(number)", note: "stored")) }
    try context.save()
    try home.run("DELETE FROM \"Account\"")
    for number in 0..<count { account.keywords.append(Keyword(text: "\(number)", note: "new")) }
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.details.map(\.rule) == [.deletedElsewhere])
    #expect(error?.details.map(\.model) == [account.persistentModelID])
    let notes = try home.fresh().fetch(FetchDescriptor<Keyword>()).map(\.note)
    #expect(notes == Array(repeating: "stored", count: count))
  }
}
