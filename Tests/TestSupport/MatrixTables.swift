/// The effects of deleting a model, for all pairs of delete rules in all kinds of relationships.
///
/// A row contains the owner's rule (`a.one`, `a.many`, `a.children`, `a.next` …), the inverse's rule (`b.one`,
/// `b.owner`, `b.parent`, `b.previous` …), the result of deleting `a`, and the result of deleting `b`.
///
/// - `a:c c:a`: a and c exist and are related; `b`: b exists and has no relationships; `-`: no model exists.
/// - `c:?`: c has a required reference that lacks a destination because of the rule `.noAction`. It reads as a
///   placeholder.
/// - `denied a(b,c)`: the save throws because b and c deny the deletion of a.
/// - `invalid b`: the save throws because b would lose a required destination.
enum MatrixTables {
  /// a.one = b; both ends are optional.
  static let oneToOne = """
    nullify  nullify  | b           | a
    nullify  cascade  | b           | -
    nullify  deny     | b           | denied b(a)
    nullify  noAction | b           | a
    cascade  nullify  | -           | a
    cascade  cascade  | -           | -
    cascade  deny     | -           | denied b(a)
    cascade  noAction | -           | a
    deny     nullify  | denied a(b) | a
    deny     cascade  | denied a(b) | -
    deny     deny     | denied a(b) | denied b(a)
    deny     noAction | denied a(b) | a
    noAction nullify  | b           | a
    noAction cascade  | b           | -
    noAction deny     | b           | denied b(a)
    noAction noAction | b           | a
    """

  /// a.needyOne = b; b requires a.
  static let oneToOneRequired = """
    nullify  nullify  | invalid b   | a
    nullify  cascade  | invalid b   | -
    nullify  deny     | invalid b   | denied b(a)
    nullify  noAction | invalid b   | a
    cascade  nullify  | -           | a
    cascade  cascade  | -           | -
    cascade  deny     | -           | denied b(a)
    cascade  noAction | -           | a
    deny     nullify  | denied a(b) | a
    deny     cascade  | denied a(b) | -
    deny     deny     | denied a(b) | denied b(a)
    deny     noAction | denied a(b) | a
    noAction nullify  | b:?         | a
    noAction cascade  | b:?         | -
    noAction deny     | b:?         | denied b(a)
    noAction noAction | b:?         | a
    """

  /// a.many = [b, c]; neither requires a.
  static let oneToMany = """
    nullify  nullify  | b c           | a:c c:a
    nullify  cascade  | b c           | c
    nullify  deny     | b c           | denied b(a)
    nullify  noAction | b c           | a:c c:a
    cascade  nullify  | -             | a:c c:a
    cascade  cascade  | -             | -
    cascade  deny     | -             | denied b(a)
    cascade  noAction | -             | a:c c:a
    deny     nullify  | denied a(b,c) | a:c c:a
    deny     cascade  | denied a(b,c) | denied a(c)
    deny     deny     | denied a(b,c) | denied b(a)
    deny     noAction | denied a(b,c) | a:c c:a
    noAction nullify  | b c           | a:c c:a
    noAction cascade  | b c           | c
    noAction deny     | b c           | denied b(a)
    noAction noAction | b c           | a:c c:a
    """

  /// a.needyMany = [b, c]; both require their owner.
  static let oneToManyRequired = """
    nullify  nullify  | invalid b c   | a:c c:a
    nullify  cascade  | invalid b c   | invalid c
    nullify  deny     | invalid b c   | denied b(a)
    nullify  noAction | invalid b c   | a:c c:a
    cascade  nullify  | -             | a:c c:a
    cascade  cascade  | -             | -
    cascade  deny     | -             | denied b(a)
    cascade  noAction | -             | a:c c:a
    deny     nullify  | denied a(b,c) | a:c c:a
    deny     cascade  | denied a(b,c) | denied a(c)
    deny     deny     | denied a(b,c) | denied b(a)
    deny     noAction | denied a(b,c) | a:c c:a
    noAction nullify  | b:? c:?       | a:c c:a
    noAction cascade  | b:? c:?       | c:?
    noAction deny     | b:? c:?       | denied b(a)
    noAction noAction | b:? c:?       | a:c c:a
    """

  /// a.pairs = [b, c], d.pairs = [c].
  static let manyToMany = """
    nullify  nullify  | b c:d d:c     | a:c c:a,d d:c
    nullify  cascade  | b c:d d:c     | c:d d:c
    nullify  deny     | b c:d d:c     | denied b(a)
    nullify  noAction | b c:d d:c     | a:c c:a,d d:c
    cascade  nullify  | d             | a:c c:a,d d:c
    cascade  cascade  | -             | -
    cascade  deny     | denied c(d)   | denied b(a)
    cascade  noAction | d             | a:c c:a,d d:c
    deny     nullify  | denied a(b,c) | a:c c:a,d d:c
    deny     cascade  | denied a(b,c) | denied a(c)
    deny     deny     | denied a(b,c) | denied b(a)
    deny     noAction | denied a(b,c) | a:c c:a,d d:c
    noAction nullify  | b c:d d:c     | a:c c:a,d d:c
    noAction cascade  | b c:d d:c     | c:d d:c
    noAction deny     | b c:d d:c     | denied b(a)
    noAction noAction | b c:d d:c     | a:c c:a,d d:c
    """

  /// a.needyPairs = [b, c], d.needyPairs = [c]; b and c each require an owner.
  static let manyToManyRequired = """
    nullify  nullify  | invalid b               | a:c c:a,d d:c
    nullify  cascade  | invalid b               | c:d d:c
    nullify  deny     | invalid b               | denied b(a)
    nullify  noAction | invalid b               | a:c c:a,d d:c
    cascade  nullify  | d                       | a:c c:a,d d:c
    cascade  cascade  | -                       | -
    cascade  deny     | denied c(d)             | denied b(a)
    cascade  noAction | d                       | a:c c:a,d d:c
    deny     nullify  | denied a(b,c) invalid b | a:c c:a,d d:c
    deny     cascade  | denied a(b,c) invalid b | denied a(c)
    deny     deny     | denied a(b,c) invalid b | denied b(a)
    deny     noAction | denied a(b,c) invalid b | a:c c:a,d d:c
    noAction nullify  | invalid b               | a:c c:a,d d:c
    noAction cascade  | invalid b               | c:d d:c
    noAction deny     | invalid b               | denied b(a)
    noAction noAction | invalid b               | a:c c:a,d d:c
    """

  /// a.children = [b, c], b.children = [d]; all have the same class.
  static let tree = """
    nullify  nullify  | b:d c d:b     | a:c c:a d
    nullify  cascade  | b:d c d:b     | c d
    nullify  deny     | b:d c d:b     | denied b(a)
    nullify  noAction | b:d c d:b     | a:c c:a d
    cascade  nullify  | -             | a:c c:a
    cascade  cascade  | -             | -
    cascade  deny     | -             | denied b(a)
    cascade  noAction | -             | a:c c:a
    deny     nullify  | denied a(b,c) | denied b(d)
    deny     cascade  | denied a(b,c) | denied a(c) b(d)
    deny     deny     | denied a(b,c) | denied b(a,d)
    deny     noAction | denied a(b,c) | denied b(d)
    noAction nullify  | b:d c d:b     | a:c c:a d
    noAction cascade  | b:d c d:b     | c d
    noAction deny     | b:d c d:b     | denied b(a)
    noAction noAction | b:d c d:b     | a:c c:a d
    """

  /// a.next = b, b.next = c; all have the same class.
  static let chain = """
    nullify  nullify  | b:c c:b     | a c
    nullify  cascade  | b:c c:b     | c
    nullify  deny     | b:c c:b     | denied b(a)
    nullify  noAction | b:c c:b     | a c
    cascade  nullify  | -           | a
    cascade  cascade  | -           | -
    cascade  deny     | -           | denied b(a)
    cascade  noAction | -           | a
    deny     nullify  | denied a(b) | denied b(c)
    deny     cascade  | denied a(b) | denied b(c)
    deny     deny     | denied a(b) | denied b(a,c)
    deny     noAction | denied a(b) | denied b(c)
    noAction nullify  | b:c c:b     | a c
    noAction cascade  | b:c c:b     | c
    noAction deny     | b:c c:b     | denied b(a)
    noAction noAction | b:c c:b     | a c
    """

  /// a.spouse = b, a relationship that is its own inverse.
  static let spouse = """
    nullify  | b           | a
    cascade  | -           | -
    deny     | denied a(b) | denied b(a)
    noAction | b           | a
    """

  /// a.friends = [b, c], b.friends = [a, c]; a relationship that is its own inverse.
  static let friends = """
    nullify  | b:c c:b       | a:c c:a
    cascade  | -             | -
    deny     | denied a(b,c) | denied b(a,c)
    noAction | b:c c:b       | a:c c:a
    """

  /// a.target = b; no inverse.
  static let target = """
    nullify  | b           | a
    cascade  | -           | a
    deny     | denied a(b) | a
    noAction | b           | a
    """

  /// a.targets = [b, c]; no inverse.
  static let targets = """
    nullify  | b c           | a:c c
    cascade  | -             | a:c c
    deny     | denied a(b,c) | a:c c
    noAction | b c           | a:c c
    """

  /// a.target = b; required, no inverse.
  static let targetRequired = """
    nullify  | b           | invalid a
    cascade  | -           | invalid a
    deny     | denied a(b) | invalid a
    noAction | b           | invalid a
    """
}
