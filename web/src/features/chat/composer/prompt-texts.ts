import { plural, t } from '@lingui/core/macro'

export const title = t`Saved prompts`
export const count = (prompts: number) => plural(prompts, { one: '# saved prompt', other: `# saved prompts` })
