/** Content types of the objects that a reading stores; their addresses are signed for them. */
export const textType = 'text/plain; charset=utf-8'
export const indexType = 'application/octet-stream'
export const picturesType = 'application/octet-stream'
export const tablesType = 'application/zstd'
