/**
 * Characters that stand for something in a text while it is parsed. They are from Unicode's private use area, which no writing has. Where a
 * text has one nevertheless, `extractMath` hides it. After the parse, `splitAtPlaceholders` and `restoreSource` remove them.
 */
export const markCharacters = '\uE000-\uE004'

/** Begin and end the number of a placeholder, see `createPlaceholder`. */
export const placeholderStart = '\uE000'
export const placeholderEnd = '\uE001'
/** Stands beside `**`, where the parser takes it for a letter, so that the `**` begins or ends bold text. See `markLooseBold`. */
export const joiner = '\uE002'
/** Ends a URL by its space; the character tells this space from those of the text. See `markUrlEnds`. */
export const urlEnd = ' \uE003'
/** Stands for a `|` that does not end the cell of a table. See `markTablePipes`. */
export const literalPipe = '\uE004'
