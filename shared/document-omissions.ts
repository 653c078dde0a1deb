/**
 * What a reader may leave out, with its name for one and for several. The note of a document is made of it, so a reader counts all that it
 * knows to be in the file and not in the text.
 */
export const omissionNames = {
  attachments: ['attached file', 'attached files'],
  charts: ['chart', 'charts'],
  damagedCharacters: ['damaged character', 'damaged characters'],
  diagrams: ['diagram', 'diagrams'],
  embedded: ['embedded object', 'embedded objects'],
  formulas: ['formula', 'formulas'],
  links: ['link', 'links'],
  macros: ['macro project', 'macro projects'],
  media: ['sound or film', 'sounds and films'],
  parts: ['damaged part', 'damaged parts'],
  pictures: ['picture', 'pictures'],
  rows: ['repeated row', 'repeated rows'],
} as const satisfies Record<string, readonly [one: string, several: string]>

export type OmissionKind = keyof typeof omissionNames
export const omissionKinds = Object.keys(omissionNames) as OmissionKind[]
