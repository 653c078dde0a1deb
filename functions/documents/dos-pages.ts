// Code pages of DOS, which `TextDecoder` does not know. Accounting programs, and workbooks as 'CSV (MS-DOS)', are still written in them.

/** Characters of the bytes from 128 on. */
const pages: Readonly<Record<string, string>> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
}

/** @param label of an encoding, also `ibm437` and `ibm850` @throws RangeError if it is unknown */
export function createDecoder(label: string): { decode: (bytes: Uint8Array) => string } {
  const page = pages[label.toLowerCase().replace(/^cp-?(?=\d)/, 'ibm')]
  if (page === undefined) return new TextDecoder(label)
  return {
    decode: (bytes) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        .toString('latin1')
        .replaceAll(/[\u0080-\u00ff]/g, (sign) => page.charAt(sign.charCodeAt(0) - 0x80)),
  }
}
