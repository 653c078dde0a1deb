/** DEC-113: what the thinking indicator shows while a tool runs; each tool declares its own. */
export type ToolActivity =
  'image_generation' | 'video_generation' | 'research' | 'file_upload' | 'document_analysis' | 'other'
