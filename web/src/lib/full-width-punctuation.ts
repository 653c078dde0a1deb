/**
 * Punctuation of Chinese and Japanese, with the quotation marks and dots that other scripts have, too, for a set of characters in a pattern:
 * no address has it, unless encoded.
 */
export const fullWidthPunctuation = String.raw`\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65“”‘’…`
