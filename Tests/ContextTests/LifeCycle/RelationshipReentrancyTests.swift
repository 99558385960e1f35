import Foundation
import Observation
import TestSupport
import Testing
import Trellis

@testable import TestWorlds

/// Observers of a relationship that save, roll back and change during an assignment.
@Suite struct RelationshipReentrancyTests {
  enum Act: CaseIterable, Sendable {
    case save, rollback, deleteOwner, deleteMember, emptyList, shortenList, addToList, moveMember
    case assignBack, transactionThatThrows
  }
  enum Edit: CaseIterable, Sendable {
    case clear, move, append, empty, replace, remove, orderedAppend, orderedReverse, orderedEmpty, pair
  }
  enum Watched: CaseIterable, Sendable { case owner, member, both }

  private struct Stop: Error {}

  /// A short run combines each act and each edit with each kind of observer; a thorough run tests all combinations.
  @Test(arguments: Act.allCases, Edit.allCases)
  func bothEndsAgreeWhateverObserversDo(_ act: Act, _ edit: Edit) throws {
    let acts = Act.allCases.firstIndex(of: act) ?? 0
    let edits = Edit.allCases.firstIndex(of: edit) ?? 0
    for (number, watched) in Watched.allCases.enumerated() {
      guard Repetitions.isThorough || (acts + edits) % 3 == number else { continue }
      let fixture = try LifeCycleFixture()
      let context = fixture.context
      let (owner, other) = (studio("owner"), studio("other"))
      let maker = artist("maker")
      let pieces = (0..<4).map { Piece(title: "\($0)", maker: maker) }
      let artists = (0..<4).map { artist("\($0)") }
      context.insert(owner)
      context.insert(other)
      owner.pieces = Array(pieces[0..<3])
      owner.artists = Array(artists[0..<3])
      artists[0].partner = artists[1]
      context.insert(pieces[3])
      context.insert(artists[3])
      try context.save()

      func callBack() {
        switch act {
        case .save: try? context.save()
        case .rollback: context.rollback()
        case .deleteOwner: context.delete(owner)
        case .deleteMember: context.delete(pieces[0]); context.delete(artists[0])
        case .emptyList: owner.pieces = []; owner.artists = []
        case .shortenList:
          owner.pieces = Array(owner.pieces.prefix(1))
          owner.artists = Array(owner.artists.prefix(1))
        case .addToList: owner.pieces.insert(pieces[3], at: 0); owner.artists.insert(artists[3], at: 0)
        case .moveMember: pieces[0].studio = other; artists[0].studios = [other]
        case .assignBack: pieces[0].studio = owner; artists[0].partner = artists[2]
        case .transactionThatThrows:
          try? context.transaction {
            owner.pieces = [pieces[3]]
            owner.artists.reverse()
            throw Stop()
          }
        }
      }
      nonisolated(unsafe) let call = callBack
      nonisolated(unsafe) var isDone = false
      withObservationTracking {
        if watched != .member { _ = (owner.pieces.count, owner.artists.count) }
        if watched != .owner {
          for piece in pieces { _ = piece.studio }
          for artist in artists { _ = (artist.studios.count, artist.partner) }
        }
      } onChange: {
        guard !isDone else { return }
        isDone = true
        call()
      }
      switch edit {
      case .clear: pieces[0].studio = nil
      case .move: pieces[0].studio = other
      case .append: owner.pieces.append(pieces[3])
      case .empty: owner.pieces = []
      case .replace: owner.pieces = [pieces[3], pieces[0]]
      case .remove: owner.pieces.remove(at: 0)
      case .orderedAppend: owner.artists.append(artists[3])
      case .orderedReverse: owner.artists.reverse()
      case .orderedEmpty: owner.artists = []
      case .pair: artists[0].partner = artists[3]
      }
      let place: Comment = "\(watched)"
      try agree(context, place)
      let shown = try describe(context)
      try context.save()
      let saved = try describe(context)
      // Delete rules apply on save.
      if act != .deleteOwner, act != .deleteMember { #expect(saved == shown, place) }
      try agree(context, place)
      #expect(try describe(fixture.fresh()) == saved, place)
    }
  }

  private func agree(_ context: ModelContext, _ place: Comment) throws {
    for studio in try context.fetch(FetchDescriptor<Studio>()) {
      for piece in studio.pieces { #expect(piece.studio === studio, place) }
      for artist in studio.artists { #expect(artist.studios.contains { $0 === studio }, place) }
    }
    for piece in try context.fetch(FetchDescriptor<Piece>()) {
      if let studio = piece.studio {
        #expect(studio.pieces.count { $0 === piece } == 1, place)
      }
    }
    for artist in try context.fetch(FetchDescriptor<Artist>()) {
      for studio in artist.studios { #expect(studio.artists.count { $0 === artist } == 1, place) }
      if let partner = artist.partner { #expect(partner.partner === artist, place) }
    }
  }

  private func describe(_ context: ModelContext) throws -> [String] {
    let studios = try context.fetch(FetchDescriptor<Studio>()).map {
      "\($0.name) \($0.pieces.map(\.title).sorted()) \($0.artists.map(\.name))"
    }
    let artists = try context.fetch(FetchDescriptor<Artist>()).map {
      "\($0.name) \($0.studios.map(\.name).sorted()) \($0.partner?.name ?? "-")"
    }
    let pieces = try context.fetch(FetchDescriptor<Piece>()).map {
      "\($0.title) \($0.studio?.name ?? "-")"
    }
    return (studios + artists + pieces).sorted()
  }
}
