/**
 * What a reader may leave out, with its name for one and for several. The note of a document is made of it, so a reader counts all that it
 * knows to be in the file and not in the text.
 */
export const omissionNames = {
  attachments: ['attached file', 'attached files'],
  charts: ['chart', 'charts'],
  chartValues: ['value of a chart', 'values of charts'],
  damagedCharacters: ['damaged character', 'damaged characters'],
  diagrams: ['diagram', 'diagrams'],
  embedded: ['embedded object', 'embedded objects'],
  forms: ['form', 'forms'],
  formulas: ['formula', 'formulas'],
  garbled: ['page in an unknown encoding', 'pages in an unknown encoding'],
  hidden: ['hidden part', 'hidden parts'],
  links: ['link', 'links'],
  macros: ['macro project', 'macro projects'],
  media: ['sound or film', 'sounds and films'],
  messages: ['message', 'messages'],
  outputs: ['output', 'outputs'],
  parts: ['damaged part', 'damaged parts'],
  pictures: ['picture', 'pictures'],
  rows: ['repeated row', 'repeated rows'],
  scans: ['page without text', 'pages without text'],
  scripts: ['script', 'scripts'],
  stamps: ['stamp', 'stamps'],
  styles: ['style sheet', 'style sheets'],
  unfinished: ['rest of an attached file', 'rests of attached files'],
  unknown: ['unknown element', 'unknown elements'],
} as const satisfies Record<string, readonly [one: string, several: string]>

export type OmissionKind = keyof typeof omissionNames
export const omissionKinds = Object.keys(omissionNames) as OmissionKind[]
