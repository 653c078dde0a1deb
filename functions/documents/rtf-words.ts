import { createDecoder } from './code-pages.ts'
import { listPairs } from './list-pairs.ts'

/** Encodings by code page; the others are `windows-<page>`. */
const pages = new Map(
  listPairs(
    '437:ibm437 866:ibm866 850:ibm850 874:windows-874 932:shift_jis 936:gbk 949:euc-kr 950:big5 10000:macintosh 10007:x-mac-cyrillic 65001:utf-8',
  ),
)

/** Code pages by the character set of a font. */
export const charsets = new Map(
  listPairs(
    '77:10000 128:932 129:949 134:936 136:950 161:1253 162:1254 163:1258 177:1255 178:1256 186:1257 204:1251 222:874 238:1250',
  ),
)

export const symbolCharset = 2

export function toDecoder(page: number) {
  try {
    return createDecoder(pages.get(String(page)) ?? `windows-${page}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

export const characters: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': ' ',
  _: '-',
  page: '\n\n[page break]\n\n',
  sect: '\n',
  softline: '\n',
  // of a number or date that a program puts in
  chpgn: '[page]',
}

/** Destinations whose content is no text of the document. */
export const skipped = new Set(
  'fonttbl colortbl stylesheet listtable list listlevel leveltext levelnumbers listname listpicture listoverridetable listoverride revtbl rsidtbl generator info filetbl themedata colorschememapping datastore latentstyles xmlnstbl wgrffmtfilter pntxta pntxtb pnseclvl bkmkstart bkmkend fldinst datafield objdata objclass objname sn sv nonshppict picprop blipuid pgptbl userprops docvar mmathPr atnid atnref atndate atntime atnparent atnicn template ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn private1 operator author falt panose xe tc tcn rxe defchp defpap fchars lchars passwordhash protusertbl background'.split(
    ' ',
  ),
)
export const shown = new Set(
  'shppict shpinst shptxt shprslt result annotation atnauthor fldrslt ud footnote pntext listtext shpgrp'.split(
    ' ',
  ),
)
