@Model class Immediately { var x = 1 }
