import { t } from '@lingui/core/macro'

export const showAll = (count: number) => t`Show all ${count}`
export const movedTo = (projectName: string) => t`Moved to ${projectName}`
