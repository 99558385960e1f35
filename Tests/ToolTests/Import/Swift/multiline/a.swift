import SwiftData
@Model
public final class Recipe: Identifiable, Hashable {
    @Attribute(
        .unique,
        originalName: "identifier"
    )
    public var id: String
    @Relationship(deleteRule: .cascade,
                  inverse: \Ingredient.recipe)
    public var ingredients: [Ingredient]? = []
    @Relationship(inverse: \Tag.recipes)
    public private(set) var tags: [Tag] = []
    public init(id: String) { self.id = id }
}
@Model public class Ingredient {
    @Relationship(inverse: \Recipe.ingredients) public var recipe: Recipe?
    public var amount: Measurement<UnitMass>?
}
@Model public class Tag { @Relationship(inverse: \Recipe.tags) public var recipes: [Recipe] = [] }
