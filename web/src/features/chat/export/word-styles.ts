import {
  AlignmentType,
  LevelFormat,
  ShadingType,
  type ILevelsOptions,
  type INumberingOptions,
  type IStylesOptions,
} from 'docx'
import { indentStep } from './block-context.ts'

/** The colours of a document. Those of text, headers and code are those of the page in its light theme (`tokens.css`). */
export const colors = { line: 'B8B4AC', mutedInk: '5B5650', ink: '221F1B', header: 'F0EDE8', code: 'F5F2EE' }
/** How many levels of lists Word has. */
export const listLevelCount = 9
/** The font of code. */
export const codeFont = 'Consolas'
export const bulletReference = 'bullets'
/** The name of the numbering of ordered lists. @param start their first number */
export const numbersReference = (start: number): string => `numbers-${start}`

const bullets = ['•', '◦', '▪']
const indent = (level: number) => ({ left: (level + 1) * indentStep, hanging: indentStep / 2 })

const createLevels = (create: (level: number) => Pick<ILevelsOptions, 'format' | 'text' | 'start'>) =>
  Array.from({ length: listLevelCount }, (_, level): ILevelsOptions => ({
    level,
    alignment: AlignmentType.START,
    style: { paragraph: { indent: indent(level) } },
    ...create(level),
  }))

/** Creates the numberings of a document. @param starts the numbers at which its ordered lists begin */
export const createNumbering = (starts: Iterable<number>): INumberingOptions => ({
  config: [
    {
      reference: bulletReference,
      levels: createLevels((level) => ({
        format: LevelFormat.BULLET,
        text: bullets[level % bullets.length] ?? '•',
      })),
    },
    ...[...starts].map((start) => ({
      reference: numbersReference(start),
      levels: createLevels((level) => ({ format: LevelFormat.DECIMAL, text: `%${level + 1}.`, start })),
    })),
  ],
})

const heading = (size: number) => ({
  run: { size, bold: true, color: colors.ink },
  paragraph: { spacing: { before: 240, after: 80 }, keepNext: true },
})

/** The styles of a document. Sizes are in half points, spacing in twentieths of a point. */
export const wordStyles: IStylesOptions = {
  default: {
    document: {
      run: { font: { ascii: 'Calibri', hAnsi: 'Calibri', cs: 'Arial' }, size: 22, sizeComplexScript: 22 },
      paragraph: { spacing: { after: 120, line: 276 } },
    },
    heading1: heading(32),
    heading2: heading(28),
    heading3: heading(25),
    heading4: heading(23),
    heading5: heading(22),
    heading6: heading(22),
  },
  paragraphStyles: [
    {
      id: 'Code',
      name: 'Code',
      basedOn: 'Normal',
      run: { size: 19, noProof: true },
      paragraph: {
        spacing: { before: 60, after: 160, line: 252 },
        shading: { type: ShadingType.CLEAR, fill: colors.code },
      },
    },
    { id: 'Meta', name: 'Meta', basedOn: 'Normal', run: { size: 18, color: colors.mutedInk } },
  ],
}

/** The alignments of table columns. */
export const alignments = {
  left: AlignmentType.LEFT,
  right: AlignmentType.RIGHT,
  center: AlignmentType.CENTER,
  none: undefined,
} as const
