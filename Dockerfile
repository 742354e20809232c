# syntax=docker/dockerfile:1
# The full image: some versions of npm look for Python before they find that nothing is compiled.
FROM node:24 AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run prepack

FROM node:24-slim
ENV NODE_ENV=production \
    WAYPOST_HOST=0.0.0.0 \
    WAYPOST_DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Nothing is compiled: what is native comes ready.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force \
    && mkdir /data && chown node:node /data
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
    CMD ["node", "bin/health.js"]
ENTRYPOINT ["node", "bin/waypost.js"]
CMD ["serve"]
