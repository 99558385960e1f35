/// Makes a class in a Swift file a persistent model.
///
/// ```swift
/// @Model
/// final class Journey {
///   @Attribute(.unique) var name: String
///   var start: Date = Date.now
///   @Relationship(deleteRule: .cascade, inverse: \Stop.journey) var stops: [Stop] = []
///
///   init(name: String) { self.name = name }
/// }
///
/// @Model
/// final class Stop {
///   var place: String
///   var journey: Journey?
///
///   init(place: String) { self.place = place }
/// }
/// ```
///
/// A property whose type is a model is a relationship; all other stored properties are attributes. <doc:SwiftFiles>
/// describes the differences from models in schema files, which need no macro.
///
/// The target needs the plugin `GenerateModels`, which reads the class and generates a snapshot, the code that reads
/// and writes rows, and the accessors that this macro calls. If the plugin is missing, the compiler reports that it
/// cannot find `_$AddThePluginGenerateModelsToTheTarget`.
///
/// - Parameter originalName: The former name of a renamed model. Not in SwiftData.
@attached(
  member, conformances: PersistentModel,
  names: named(_$Plugin), named(_$state), named(_$values), prefixed(_$own_), prefixed(_$pending_), named(init),
  named(deinit), named(_$definition), named(schemaMetadata))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Sendable)
public macro Model(originalName: String? = nil) = #externalMacro(module: "TrellisMacros", type: "ModelMacro")

/// Sets property options such as uniqueness, external storage or a former name.
///
/// ```swift
/// @Model
/// final class Photo {
///   @Attribute(.unique, originalName: "file") var name: String
///   @Attribute(.externalStorage) var image: Data?
///   @Attribute(.preserveValueOnDeletion) var taken: Date
///
///   init(name: String, taken: Date) {
///     self.name = name
///     self.taken = taken
///   }
/// }
/// ```
///
/// Attributes that need no option do not need the macro. The schema compiler reads the arguments from the source and
/// does not evaluate variables.
///
/// - Parameters:
///   - options: The storage options, see ``Schema/Attribute/Option``.
///   - originalName: The name in the previous schema version; `nil` if the property was not renamed.
///   - hashModifier: Distinguishes two versions of the property that have the same name and type; `nil` if that is not
///     necessary.
///   - onConflict: The policy of `.unique` if a new model has the same value as an existing model. By default, saving
///     the new model updates the existing model. Not in SwiftData.
@attached(peer) public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil,
  onConflict: Schema.ConflictPolicy = .replace
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Sets relationship options such as the delete rule or inverse.
///
/// ```swift
/// @Model
/// final class Team {
///   @Relationship(.ordered, deleteRule: .cascade, maximumModelCount: 11, inverse: \Player.team)
///   var players: [Player] = []
///
///   init() {}
/// }
///
/// @Model
/// final class Player {
///   var name: String
///   var team: Team?   // the inverse needs no macro
///
///   init(name: String) { self.name = name }
/// }
/// ```
///
/// The schema compiler reads the arguments from the source and does not evaluate variables.
///
/// - Parameters:
///   - options: The storage options, see ``Schema/Relationship/Option``.
///   - deleteRule: The effect on the related models when the model is deleted. By default, `.nullify` sets their
///     references to `nil`. See ``Schema/Relationship/DeleteRule``.
///   - denyMessage: The explanation in the error if the rule `.deny` prevents a deletion; `nil` for the default
///     message. Not in SwiftData.
///   - minimumModelCount: The minimum number of related models; 0 or `nil` for none. If there are fewer, saving throws
///     ``SwiftDataError/modelValidationFailure``.
///   - maximumModelCount: The maximum number of related models; 0 or `nil` for no limit. If there are more, saving
///     throws ``SwiftDataError/modelValidationFailure``.
///   - originalName: The name in the previous schema version; `nil` if the property was not renamed.
///   - inverse: The related model's property that refers back; `nil` to declare that there is none. If omitted, the
///     inverse is inferred, which requires exactly one candidate.
///   - hashModifier: Distinguishes two versions of the relationship that have the same name and type; `nil` if that is
///     not necessary.
@attached(peer) public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  denyMessage: String? = nil, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Excludes a property from storage. The property must be optional or have a default value.
///
/// ```swift
/// @Model
/// final class Station {
///   var name: String
///   @Transient var temperature: Double? = nil   // nil in each fetched model
///
///   init(name: String) { self.name = name }
/// }
/// ```
///
/// The property's type need not be `Codable`. Assigning it does not mark the model as changed. To track changes to a
/// value that is not stored, use `@Attribute(.ephemeral)`.
@attached(peer) public macro Transient() = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Declares property combinations whose values must be unique, inside a model class.
///
/// ```swift
/// @Model
/// final class Flight {
///   #Unique<Flight>([\.booking], [\.number, \.departure])
///
///   var booking: String?
///   var number: String
///   var departure: Date
///
///   init(number: String, departure: Date) {
///     self.number = number
///     self.departure = departure
///   }
/// }
/// ```
///
/// Models in which any of the values is `nil` do not conflict. If a change to a saved model causes a conflict, saving
/// throws ``SwiftDataError/modelValidationFailure``.
///
/// - Parameters:
///   - constraints: An array of attributes and to-one relationships for each combination.
///   - onConflict: The policy if a new model has the same values as an existing model. By default, saving the new model
///     updates the existing model; `.fail` makes the save throw. Not in SwiftData.
@freestanding(declaration) public macro Unique<T: PersistentModel>(
  _ constraints: [PartialKeyPath<T>]..., onConflict: Schema.ConflictPolicy = .replace
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Declares a model's indexes, inside the class.
///
/// ```swift
/// @Model
/// final class Hotel {
///   #Index<Hotel>([\.name], [\.country, \.city])
///
///   var name: String
///   var country: String
///   var city: String
///
///   init(name: String, country: String, city: String) {
///     self.name = name
///     self.country = country
///     self.city = city
///   }
/// }
/// ```
///
/// An index over several properties speeds up conditions and sort orders that begin with the first property. Opening an
/// existing store creates new indexes, with no migration.
///
/// - Parameter indices: An array of stored properties for each index.
@freestanding(declaration) public macro Index<T: PersistentModel>(
  _ indices: [PartialKeyPath<T>]...
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Declares a model's indexes, including index kinds, inside the class.
///
/// ```swift
/// @Model
/// final class Viewpoint {
///   #Index<Viewpoint>(.binary([\.name]), .rtree([\.latitude, \.longitude]))
///
///   var name: String = ""
///   var latitude: Double = 0
///   var longitude: Double = 0
///
///   init() {}
/// }
/// ```
///
/// Unlike in SwiftData, an `.rtree` index is an ordinary index over the properties in the given order.
///
/// - Parameter indices: The indexes, see ``Schema/Index/Types``.
@freestanding(declaration) public macro Index<T: PersistentModel>(
  _ indices: Schema.Index<T>.Types<T>...
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Generates a property's accessors. Added by ``Model(originalName:)``.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_$default_), prefixed(_$path_), prefixed(_$assigned_), prefixed(_$ephemeral_))
public macro _PersistedProperty(hasSuperclass: Bool = false) =
  #externalMacro(module: "TrellisMacros", type: "PersistedPropertyMacro")

/// Generates the start of a model initializer. Added by ``Model(originalName:)``.
@attached(body) public macro _ModelInitializer(hasSuperclass: Bool = false) =
  #externalMacro(module: "TrellisMacros", type: "ModelInitializerMacro")

/// Generates the end of a model deinitializer. Added by ``Model(originalName:)``.
@attached(body) public macro _ModelDeinitializer() =
  #externalMacro(module: "TrellisMacros", type: "ModelDeinitializerMacro")
