import { t } from '@lingui/core/macro'

export const noFile = t`What you dropped has no file that can be read`
export const chooseFileInstead = t`Save it as a file and attach that.`
