import type { Code } from 'micromark-util-types'

// The parser has numbers for characters: UTF-16 code units, null at the end of the text, and negative ones for line ends and tabs.

/** Whether a line or the text ends here. */
export const isLineEnd = (code: Code): boolean => code === null || code < -2

/** Whether this is a space, a tab, or a column of a tab. */
export const isSpaceOrTab = (code: Code): boolean => code === -2 || code === -1 || code === 32

/** Whether this is the first half of a character of two code units. */
export const isHighSurrogate = (code: Code): boolean => code !== null && code >= 0xd8_00 && code < 0xdc_00
