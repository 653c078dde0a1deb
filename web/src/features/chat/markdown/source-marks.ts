// Private-use characters that our extensions insert into a text before the parse, and `restoreSource` and `splitAtPlaceholders` remove after it.

/** Counts as a letter beside emphasis, see `markLooseBold`. */
export const joiner = '\uE002'
/** Ends a URL, see `markUrlEnds`. */
export const urlEnd = ' \uE003'
/** A pipe that does not end a cell; it becomes `|` after the parse, see `markTablePipes`. */
export const literalPipe = '\uE004'
