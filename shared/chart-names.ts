/** Characters that a path in data is made of, and those of the private use area that stand for them while a chart is drawn. */
const characters = ['.', '[', ']', '\\', "'", '"']
const firstStandIn = 0xe0_60
const standIns = characters.map((_, index) => String.fromCodePoint(firstStandIn + index))

/** Whether a column's name would be read as a path. */
export const isPathLike = (name: string) => characters.some((character) => name.includes(character))

/** A column's name without the characters of a path, which the library cannot always escape. */
export const maskName = (name: string) =>
  characters.reduce((masked, character, index) => masked.replaceAll(character, standIns[index]!), name)

/** @param svg a drawing. @returns it with the names as they are */
export const unmaskNames = (svg: string) =>
  standIns.reduce(
    (text, standIn, index) =>
      text.replaceAll(standIn, characters[index] === '"' ? '&quot;' : characters[index]!),
    svg,
  )
