import type { Site } from '../../http/site/page.ts'

/** The web app manifest: lets a phone put the site on its home screen. */
export const MANIFEST_SITE: Site = {
  prefix: '/manifest.webmanifest',
  isExact: true,
  serve: () => ({ contentType: 'application/manifest+json', body: MANIFEST }),
}

const MANIFEST = JSON.stringify({
  name: 'Marquee',
  short_name: 'Marquee',
  description: 'Which movies and series can be watched where.',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: '#faf8f4',
  theme_color: '#b4410e',
  icons: [192, 512].map((size) => ({
    src: `/icons/${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
})
