# The card room on one node. The guide docs/guides/operating.md says how to build and run it.
FROM python:3.11-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN pip wheel --no-cache-dir --constraint constraints.txt --wheel-dir /wheels '.[lab,postgres]'

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 croupier && mkdir /data && chown croupier /data
COPY --from=build /wheels /wheels
# The versions are those of the wheels that were just built.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --no-index --find-links /wheels 'croupier[lab,postgres]' && rm -r /wheels
USER 10001
ENV CROUPIER_HOST=0.0.0.0 CROUPIER_PORT=8021 CROUPIER_STORE=sqlite:////data/croupier.db
VOLUME /data
EXPOSE 8021
HEALTHCHECK --interval=10s --timeout=3s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8021/healthz')"]
CMD ["croupier", "serve"]
