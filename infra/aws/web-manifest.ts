/** Path of the manifest, which browsers read when the product is installed. */
export const webManifestPath = '/manifest.json'

const sizes = [192, 512] as const

/**
 * Builds the manifest of the installed product. Its one colour is the light theme's; the page's own `theme-color` replaces it.
 * @param name of the deployment
 * @see https://www.w3.org/TR/appmanifest/
 */
export const buildWebManifest = (name: string) => ({
  id: '/',
  name,
  short_name: name,
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#fbfaf7',
  theme_color: '#fbfaf7',
  icons: (['any', 'maskable'] as const).flatMap((purpose) =>
    sizes.map((size) => ({
      src: `/icons/${purpose === 'any' ? 'icon' : purpose}-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  ),
})
