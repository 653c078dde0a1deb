import * as z from 'zod'

/**
 * What the service says, for programs: `code` names the sentence and is part of the contract, `params` are what varies in it. The English
 * sentence made of both stands beside it wherever it is sent or stored.
 */
export interface Coded {
  readonly code: string
  readonly params?: Params | undefined
}

/** With the English sentence, ready to be shown. */
export interface Sentence extends Coded {
  readonly text: string
}

/**
 * Numbers are not formatted. Words of others, such as a provider's error, are strings as they came. `reason` tells sentences of one code
 * apart.
 */
export type Params = Readonly<Record<string, Param>>
type Param = string | number | Sentence | readonly (string | Sentence)[] | undefined

/** As it is sent and stored. Parameters of a newer version are kept. */
export const coded = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()).optional() })
export const storedSentence = coded.extend({ text: z.string() }) as unknown as z.ZodType<Sentence>
