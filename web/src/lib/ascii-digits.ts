/** Of the keyboards for Arabic and Persian. The last four bits of their code are their value. */
const arabicDigits = /[٠-٩۰-۹]/g

/** A text with the digits and letters of ASCII, where a keyboard has written them in full width or has digits of its own. */
export const toAsciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(arabicDigits, (digit) => String(digit.charCodeAt(0) & 0xf))
