import SchemaModel
import SwiftSource

/// The access of generated declarations: what is written wins, else the option's, and a member is
/// never more visible than its type.
struct AccessRules {
  let option: EmissionInput.DefaultAccess
  /// The access of the types around the models in a Swift file.
  var limit = Access.open

  /// A type at file level. `private` would hide it from the other generated files.
  func type(_ written: AccessLevel?) -> Access {
    min(written.map { max(Self.access($0), .internal) } ?? optional, limit)
  }

  /// A member; the access of its type is an upper bound.
  func member(_ written: AccessLevel?, in type: Access) -> Access {
    let own = written.map(Self.access) ?? optional
    return min(own == .open ? .public : own, bound(type))
  }

  /// The members the runtime's protocols ask for.
  func bound(_ type: Access) -> Access { type == .open ? .public : type }

  /// What text carried into a type gets where it says nothing; nil when nothing is to be added.
  func carried(in type: Access) -> Access? {
    let access = min(optional, bound(type))
    return access == .internal ? nil : access
  }

  private var optional: Access {
    switch option {
    case .internal: .internal
    case .package: .package
    case .public: .public
    }
  }

  static func access(_ level: AccessLevel) -> Access {
    switch level {
    case .private: .private
    case .fileprivate: .fileprivate
    case .internal: .internal
    case .package: .package
    case .public: .public
    case .open: .open
    }
  }
}
