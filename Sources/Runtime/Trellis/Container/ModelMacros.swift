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
/// The schema compiler reads the arguments; see ``Schema/Attribute``.
@attached(peer) public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Sets relationship options such as the delete rule or inverse.
///
/// The schema compiler reads the arguments; see ``Schema/Relationship``.
@attached(peer) public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  denyMessage: String? = nil, minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Excludes a property from storage. The property must be optional or have a default value.
@attached(peer) public macro Transient() = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Declares property combinations whose values must be unique, inside a model class.
///
///     #Unique<Trip>([\.name], [\.country, \.number])
@freestanding(declaration) public macro Unique<T: PersistentModel>(
  _ constraints: [PartialKeyPath<T>]..., onConflict: Schema.ConflictPolicy = .replace
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Declares a model's indexes, inside the class.
///
///     #Index<Trip>([\.startDate], [\.country, \.name])
@freestanding(declaration) public macro Index<T: PersistentModel>(
  _ indices: [PartialKeyPath<T>]...
) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

/// Declares a model's indexes, including index kinds, inside the class.
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
