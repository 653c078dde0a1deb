// preview-panel
export const kinds = {
  html: 'HTML',
  svg: 'SVG',
  mermaid: 'Mermaid',
  'vega-lite': 'Vega-Lite',
  csv: 'CSV',
  markdown: 'Markdown',
}

// preview-content

// preview-frame
