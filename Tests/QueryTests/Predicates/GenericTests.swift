import Foundation
import Testing
import Trellis

@testable import TestWorlds

private protocol Named {
  var name: String { get }
}

extension Film: Named {}
extension Studio: Named {}

private protocol Owned {
  var studio: Studio? { get }
}

extension Film: Owned {}

/// Predicates of generic code with key paths through a type parameter or a protocol.
@Suite struct GenericTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  private func named<M: PersistentModel & Named>(_ name: String, _: M.Type) -> Predicate<M> {
    #Predicate { $0.name == name }
  }

  private func identified<M: PersistentModel>(
    _ identifier: PersistentIdentifier, _: M.Type
  ) -> Predicate<M> {
    #Predicate { $0.persistentModelID == identifier }
  }

  private func known<M: PersistentModel>(_ id: M.ID, _: M.Type) -> Predicate<M>
  where M.ID: Codable {
    #Predicate { $0.id == id }
  }

  private func among<M: PersistentModel>(_ ids: Set<M.ID>, _: M.Type) -> Predicate<M>
  where M.ID: Codable {
    #Predicate { ids.contains($0.id) }
  }

  private func owned<M: PersistentModel & Owned>(by name: String, _: M.Type) -> Predicate<M> {
    #Predicate { $0.studio?.name == name }
  }

  private func valued<M: PersistentModel, V: Codable & Equatable & Sendable>(
    _ keyPath: any KeyPath<M, V> & Sendable, _ value: V
  ) -> Predicate<M> {
    Predicate {
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: keyPath),
        rhs: PredicateExpressions.build_Arg(value))
    }
  }

  @Test func S088_identifiersThroughTypeParameters() throws {
    let film = fixture.films[3].persistentModelID
    try fixture.check(identified(film, Film.self), .sql)
    try fixture.check(known(film, Film.self), .sql)
    try fixture.check(among([film, fixture.films[4].id], Film.self), .sql)
    // A declared `id` property of the model.
    let id = fixture.studios[1].id
    let context = fixture.fresh()
    let own = known(id, Studio.self)
    #expect(try fixture.sql(own).contains("\"id\" = ?"))
    #expect(try context.fetch(FetchDescriptor(predicate: own)).map(\.code) == [1])
    let some = among([id, FilmFixture.uuid(102)], Studio.self)
    #expect(try fixture.sql(some).contains("json_each"))
    #expect(try context.fetchCount(FetchDescriptor(predicate: some)) == 2)
  }

  /// A key path of a protocol cannot be translated, so the predicate is evaluated in memory.
  @Test func propertiesThroughProtocols() throws {
    try fixture.check(named("alpha", Film.self), .memory)
    try fixture.check(owned(by: "Nord", Film.self), .memory)
    let context = fixture.fresh()
    let studio = named("Ost", Studio.self)
    #expect(try context.fetch(FetchDescriptor(predicate: studio)).map(\.code) == [2])
  }

  @Test func propertiesThroughKeyPathParameters() throws {
    try fixture.check(valued(\.name, "alpha"), .sql)
    try fixture.check(valued(\.flag, true), .sql)
    try fixture.check(valued(\.note, nil), .sql)
    try fixture.check(valued(\.shout, "ALPHA"), .memory)
  }
}
