import { t } from '@lingui/core/macro'

export const openImage = (name: string) => t`Open image full screen: ${name}`
export const unavailable = t`No longer available`
export const deleted = t`deleted`
export const unread = t`content is not read`
export const position = (version: number, count: number) => t`${version} of ${count}`
export const downloadFile = (name: string) => t`Download ${name}`
