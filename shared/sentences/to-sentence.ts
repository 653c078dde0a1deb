import { formatSentence, quoteId } from './format-sentence.ts'
import type { Coded, Params, Sentence } from './sentence.ts'

/**
 * English templates by the id of a sentence: its code, or `code.reason` where one code has several. The page's catalogues have the template
 * as key.
 */
export type SentenceTable = Readonly<Record<string, string>>

/** What stands between braces: `count, plural, one {# page`. */
type Placeholder<Template extends string> = Template extends `${string}{${infer Inside}}${infer Rest}`
  ? Inside | Placeholder<Rest>
  : never

type Name<Inside> = Inside extends `${infer Before}, ${string}`
  ? Before
  : // the end of a plural
    Inside extends `${string}#${string}`
    ? never
    : Inside

type ParameterValue<Inside> = Inside extends `${string}, list`
  ? readonly (string | Sentence)[]
  : Inside extends `${string}, ${'day' | 'quote'}`
    ? string
    : Inside extends `${string}, name`
      ? string | readonly string[]
      : Inside extends `${string}, ${string}`
        ? number
        : string | number | Sentence

/** The parameters of a template. */
export type TemplateParams<Template extends string> = {
  readonly [Inside in Placeholder<Template> as Name<Inside> & string]: ParameterValue<Inside>
}

/** The last argument of whoever says a sentence: none if it has no parameters. */
export type ParamsArgument<Template extends string> = [Placeholder<Template>] extends [never]
  ? []
  : [params: TemplateParams<Template>]

/**
 * The sentences of a domain: a function from an id and its parameters.
 * @param table of the domain; sentences in parameters are made already
 */
export const defineSentences =
  <const Table extends SentenceTable>(table: Table) =>
  <Id extends keyof Table & string>(
    id: Id,
    ...[params]: ParamsArgument<Table[Id]>
  ): Sentence & { readonly code: SentenceCode<Id> } =>
    buildSentence(table, id, params) as Sentence & { readonly code: SentenceCode<Id> }

type SentenceCode<Id extends string> = Id extends `${infer Code}.${string}` ? Code : Id

export const quoteSentences: SentenceTable = { [quoteId]: 'It said: "{said}"' }
/** Sentences in parameters have their English text. */
const findQuote = (id: string) => quoteSentences[id]

const ownSentences = new WeakSet<object>()
/** Whether a value is a sentence that this process has said, rather than words of others in the same form. */
export const isSaid = (value: object): value is Sentence => ownSentences.has(value)

/** Builds a sentence of a table. @param id the code, and after a point its reason, if several sentences have the code */
export function buildSentence(table: SentenceTable, id: string, params?: Params): Sentence {
  const [code = id, reason] = id.split('.')
  const all = { ...(reason !== undefined && { reason }), ...params }
  const sentence = {
    code,
    ...(Object.keys(all).length > 0 && { params: all }),
    text: formatSentence(table[id] ?? '', all, 'en', findQuote),
  }
  ownSentences.add(sentence)
  return sentence
}

/** Sentences that follow each other, in English. */
export const joinSentences = (sentences: readonly Sentence[], separator = ' '): string =>
  sentences.map(({ text }) => text).join(separator)

/** For what is stored or sent beside the joined sentences: their text is there already. */
export const toCodes = (sentences: readonly Sentence[]): Coded[] =>
  sentences.map(({ code, params }) => ({ code, ...(params && { params }) }))
