# The service in an image: built with everything that building needs, run with what running needs.
# The repository's root is the context: docker build -t marquee .
FROM node:20-bookworm AS build
WORKDIR /marquee
COPY . .
# `roaring` is compiled where there is no ready binary of it; the full image has the compiler.
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MARQUEE_DATA=/var/lib/marquee
WORKDIR /marquee
COPY --from=build /marquee/package.json ./
COPY --from=build /marquee/node_modules ./node_modules
COPY --from=build /marquee/server ./server
COPY --from=build /marquee/client ./client
COPY --from=build /marquee/web ./web
RUN install -d -o node -g node /var/lib/marquee
USER node
VOLUME /var/lib/marquee
EXPOSE 8080
# Node is started directly, so that it gets the signals: SIGTERM stops, SIGHUP renews the workers.
ENTRYPOINT ["node", "/marquee/server/bin/marquee.js"]
CMD ["serve"]
