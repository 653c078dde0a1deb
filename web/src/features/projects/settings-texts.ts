import { t } from '@lingui/core/macro'

export const notOffered = (modelId: string) => t`${modelId} (not offered any more)`
export const deleteTitle = (projectName: string) => t`Delete “${projectName}”?`
