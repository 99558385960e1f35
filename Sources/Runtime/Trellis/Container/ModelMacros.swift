/// Makes a class in a Swift file a persistent model.
///
///     @Model
///     class Trip {
///       @Attribute(.unique) var name: String
///       var startDate: Date = Date.now
///       @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
///
///       init(name: String) { self.name = name }
///     }
///
/// The target needs the plugin `GenerateModels`, which reads the class and generates its snapshot, the code that reads
/// and writes its rows, and the accessors that this macro calls. Without the plugin, the compiler reports that it
/// cannot find `_$AddThePluginGenerateModelsToTheTarget`.
///
/// - Parameter originalName: the former name of a renamed model. Not in SwiftData.
@attached(
  member, conformances: PersistentModel,
  names: named(_$Plugin), named(_$state), named(_$values), prefixed(_$own_), prefixed(_$pending_), named(init),
  named(deinit), named(_$definition), named(schemaMetadata))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Sendable)
public macro Model(originalName: String? = nil) = #externalMacro(module: "TrellisMacros", type: "ModelMacro")

/// Options of a property: uniqueness, external storage, its former name and others.
///
/// The compiler of schemas reads the arguments; see ``Schema/Attribute``.
@attached(peer) public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Options of a relationship: its delete rule, its inverse and others.
///
/// The compiler of schemas reads the arguments; see ``Schema/Relationship``.
@attached(peer) public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  denyMessage: String? = nil, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// A property that stores do not keep. It needs a default value, unless it is optional.
@attached(peer) public macro Transient() = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Sets of properties whose values are unique together, inside a model class.
///
///     #Unique<Trip>([\.name], [\.country, \.number])
@freestanding(declaration) public macro Unique<T: PersistentModel>(
  _ constraints: [PartialKeyPath<T>]..., onConflict: Schema.ConflictPolicy = .replace
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Indexes of a model, inside its class.
///
///     #Index<Trip>([\.startDate], [\.country, \.name])
@freestanding(declaration) public macro Index<T: PersistentModel>(
  _ indices: [PartialKeyPath<T>]...
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Indexes of a model with their kinds, inside its class.
@freestanding(declaration) public macro Index<T: PersistentModel>(
  _ indices: Schema.Index<T>.Types<T>...
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// The accessors of a property. ``Model(originalName:)`` adds it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_$default_), prefixed(_$path_), prefixed(_$assigned_), prefixed(_$ephemeral_))
public macro _PersistedProperty(hasSuperclass: Bool = false) =
  #externalMacro(module: "TrellisMacros", type: "PersistedPropertyMacro")

/// What an initializer of a model does first. ``Model(originalName:)`` adds it.
@attached(body) public macro _ModelInitializer(hasSuperclass: Bool = false) =
  #externalMacro(module: "TrellisMacros", type: "ModelInitializerMacro")

/// What the deinitializer of a model does last. ``Model(originalName:)`` adds it.
@attached(body) public macro _ModelDeinitializer() =
  #externalMacro(module: "TrellisMacros", type: "ModelDeinitializerMacro")
