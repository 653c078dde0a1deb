import { plural } from '../../../lib/plural.ts'

export const title = 'Saved prompts'
export const count = (prompts: number) =>
  plural(prompts, { one: '1 saved prompt', other: `${prompts} saved prompts` })
