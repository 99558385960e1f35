import Trellis

/// The schema's relationships.
enum Link: Int, CaseIterable {
  case pieces, studio
  case badge, badgeStudio
  case artists, studios
  case patron
  case maker, made
  case subjects, subjectPieces
  case honours, monuments
  case mentor, pupils
  case partner
  case friends

  var isMany: Bool {
    switch self {
    case .pieces, .artists, .studios, .made, .subjects, .subjectPieces, .monuments, .pupils,
      .friends:
      true
    default: false
    }
  }

  var isOrdered: Bool { self == .artists }
  var isRequired: Bool { self == .maker }
  var isCascade: Bool { self == .pieces || self == .badge || self == .made }

  var owner: Kind {
    switch self {
    case .pieces, .badge, .artists, .patron: .studio
    case .badgeStudio: .badge
    case .studio, .maker, .subjects: .piece
    case .honours: .sculpture
    case .subjectPieces, .monuments: .subject
    case .studios, .made, .mentor, .pupils, .partner, .friends: .artist
    }
  }

  var destination: Kind {
    switch self {
    case .pieces, .made, .subjectPieces: .piece
    case .monuments: .sculpture
    case .badge: .badge
    case .artists, .patron, .maker, .mentor, .pupils, .partner, .friends: .artist
    case .badgeStudio, .studio, .studios: .studio
    case .subjects, .honours: .subject
    }
  }

  var inverse: Link? {
    switch self {
    case .pieces: .studio
    case .studio: .pieces
    case .badge: .badgeStudio
    case .badgeStudio: .badge
    case .artists: .studios
    case .studios: .artists
    case .patron: nil
    case .maker: .made
    case .made: .maker
    case .subjects: .subjectPieces
    case .subjectPieces: .subjects
    case .honours: .monuments
    case .monuments: .honours
    case .mentor: .pupils
    case .pupils: .mentor
    case .partner: .partner
    case .friends: .friends
    }
  }

  static func of(_ kind: Kind) -> [Link] { allCases.filter { kind.isA($0.owner) } }

  // MARK: Models

  /// The destinations. Omits a missing required model, which reads as a placeholder that has no context.
  func read(_ model: any PersistentModel) -> [any PersistentModel] {
    switch (self, model) {
    case (.pieces, let model as Studio): model.pieces
    case (.badge, let model as Studio): model.badge.map { [$0] } ?? []
    case (.artists, let model as Studio): model.artists
    case (.patron, let model as Studio): model.patron.map { [$0] } ?? []
    case (.badgeStudio, let model as Badge): model.studio.map { [$0] } ?? []
    case (.studio, let model as Piece): model.studio.map { [$0] } ?? []
    case (.maker, let model as Piece): model.maker.isDeleted ? [] : [model.maker]
    case (.subjects, let model as Piece): model.subjects
    case (.honours, let model as Sculpture): model.honours.map { [$0] } ?? []
    case (.subjectPieces, let model as Subject): model.pieces
    case (.monuments, let model as Subject): model.monuments
    case (.studios, let model as Artist): model.studios
    case (.made, let model as Artist): model.made
    case (.mentor, let model as Artist): model.mentor.map { [$0] } ?? []
    case (.pupils, let model as Artist): model.pupils
    case (.partner, let model as Artist): model.partner.map { [$0] } ?? []
    case (.friends, let model as Artist): model.friends
    default: []
    }
  }

  func write(_ model: any PersistentModel, _ others: [any PersistentModel]) {
    func all<M: PersistentModel>(_ type: M.Type) -> [M] { others.compactMap { $0 as? M } }
    switch (self, model) {
    case (.pieces, let model as Studio): model.pieces = all(Piece.self)
    case (.badge, let model as Studio): model.badge = all(Badge.self).first
    case (.artists, let model as Studio): model.artists = all(Artist.self)
    case (.patron, let model as Studio): model.patron = all(Artist.self).first
    case (.badgeStudio, let model as Badge): model.studio = all(Studio.self).first
    case (.studio, let model as Piece): model.studio = all(Studio.self).first
    case (.maker, let model as Piece): if let maker = all(Artist.self).first { model.maker = maker }
    case (.subjects, let model as Piece): model.subjects = all(Subject.self)
    case (.honours, let model as Sculpture): model.honours = all(Subject.self).first
    case (.subjectPieces, let model as Subject): model.pieces = all(Piece.self)
    case (.monuments, let model as Subject): model.monuments = all(Sculpture.self)
    case (.studios, let model as Artist): model.studios = all(Studio.self)
    case (.made, let model as Artist): model.made = all(Piece.self)
    case (.mentor, let model as Artist): model.mentor = all(Artist.self).first
    case (.pupils, let model as Artist): model.pupils = all(Artist.self)
    case (.partner, let model as Artist): model.partner = all(Artist.self).first
    case (.friends, let model as Artist): model.friends = all(Artist.self)
    default: break
    }
  }
}
