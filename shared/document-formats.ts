interface Format {
  /** extensions that users know; the refusal of other files lists them */
  named: readonly string[]
  /** the same with macros, as a template or a slide show, or code */
  others?: readonly string[]
}

/** What documents can be read, by their readers. */
const documentFormats = {
  word: { named: ['docx'], others: ['docm', 'dotx', 'dotm'] },
  pdf: { named: ['pdf'] },
  sheet: { named: ['xlsx'], others: ['xlsm', 'xltx', 'xltm'] },
  slides: { named: ['pptx'], others: ['pptm', 'potx', 'potm', 'ppsx', 'ppsm'] },
  openDocument: { named: ['odt', 'ods', 'odp'], others: ['ott', 'ots', 'otp'] },
  book: { named: ['epub'] },
  rtf: { named: ['rtf'] },
  mail: { named: ['eml'], others: ['mht', 'mhtml'] },
  mailbox: { named: ['mbox'] },
  contacts: { named: ['vcf'] },
  calendar: { named: ['ics'] },
  notebook: { named: ['ipynb'] },
  csv: { named: ['csv'], others: ['tsv'] },
  text: {
    named: ['txt', 'md', 'json', 'xml'],
    others: ['js', 'ts', 'css', 'py', 'java', 'cpp'],
  },
  html: { named: ['html'], others: ['htm', 'xhtml'] },
  /** only the content tells */
  unknown: { named: [] },
} as const satisfies Record<string, Format>

/** Selects the reader of a file. */
export type DocumentKind = keyof typeof documentFormats

export const documentKinds = Object.keys(documentFormats) as readonly DocumentKind[]

const formats: readonly (readonly [string, Format])[] = Object.entries(documentFormats)

/** The reader by extension, in lower case. */
export const documentKindByExtension: ReadonlyMap<string, DocumentKind> = new Map(
  formats.flatMap(([kind, { named, others = [] }]) =>
    [...named, ...others].map((extension) => [extension, kind as DocumentKind] as const),
  ),
)

/** As the refusal of other files says it. */
export const supportedFormats = `${formats.flatMap(([, { named }]) => named).join(', ')} and code files`
