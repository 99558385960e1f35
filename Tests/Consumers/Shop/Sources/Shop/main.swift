import Catalogue
import Stock
import Trellis

let article = Article(number: "17", title: "Lamp")
let maker = Maker(name: "Lumen")
let shelf = Shelf(room: "cellar", place: Place(row: 1, column: 2))
let line = Line(article: article.number)
let order = Order(customer: "Ada")
print(article.label, article.isFree, maker.name, shelf.place.row, line.count, order.customer)
print(ShopSchema.Current.models.count, CatalogueSchema.Current.versionIdentifier)
